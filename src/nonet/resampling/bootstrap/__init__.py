"""Bootstrap and jackknife: draws, schemes, statistics, intervals."""
