"""Where bulk work is done: in this process, or by copies of its worker in actors of Ray, on one machine or many."""
