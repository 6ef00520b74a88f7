"""The runtime beside Python's torch: same process, same tensors, same answers."""
