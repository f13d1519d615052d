"""Training rows for CogPlanner's planning expert, from annotated trajectories and own runs."""
