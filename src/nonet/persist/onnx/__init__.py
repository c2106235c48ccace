"""Export of fitted models to ONNX: one graph of the whole ensemble."""
