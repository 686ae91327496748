"""The atlas: a page with one real curve for each label of a verdict."""
