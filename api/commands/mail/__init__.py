"""Play by mail: reads mails into lines, and writes boards, answers and refusals as mails."""
