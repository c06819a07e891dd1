"""What ``mia stats`` says: tables, the page of HTML, how readable somebody is."""
