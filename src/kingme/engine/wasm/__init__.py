"""The kernels as WebAssembly: the engine of a page, from the very source of the server's."""
