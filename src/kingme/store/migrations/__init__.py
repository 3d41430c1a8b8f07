"""The steps that bring any older database to the tables of `kingme.store.schema`."""
