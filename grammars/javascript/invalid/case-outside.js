switch (x) { f(); }
