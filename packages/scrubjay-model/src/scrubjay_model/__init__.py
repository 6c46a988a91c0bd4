"""Weights and tokenizers of scrubjay's own encoders, as files; there is no code here.

scrubjay finds the files beside this one and checks each against the hash it has pinned.
"""
