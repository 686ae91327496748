"""How workers that talk to each other are reached by nobody else.

TensorFlow's servers ask nobody who they are. So the workers of a run get a network of their own
(`private_network`), or sockets that only this machine reaches (`loopback_only`), or are not run.
Read `isolation.py` first.
"""
