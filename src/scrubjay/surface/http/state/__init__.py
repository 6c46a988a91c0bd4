"""What the server keeps beside the memories: keys, replies it may repeat, long work."""
