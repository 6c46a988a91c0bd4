"""The directory of a store: who may write there, which banks it holds, and their folders."""
