"""What fitted boosters tell: how many rounds, how sure, curves of their rounds."""
