"""How kernels are compiled, kept and shipped. Kernels use its decorator; commands ask what is compiled."""
