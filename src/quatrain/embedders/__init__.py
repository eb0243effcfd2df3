"""Texts to packed binary vectors: the protocol, the bundled offline model, and Voyage behind an extra."""
