"""What every surface answers to one fixed story, recorded byte for byte."""
