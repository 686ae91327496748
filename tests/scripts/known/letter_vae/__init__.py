"""A variational autoencoder of drawn letters."""
