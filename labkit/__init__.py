"""labkit: a teaching kit that shows why TensorFlow training loops slow down."""
