"""The policy where requests arrive: which runs are made, and how many requests are answered."""
