"""What a question asks for: its intent, its inline filters, and the plan that answers it."""
