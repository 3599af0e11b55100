SELECT CASE WHEN a IS NOT NULL THEN 'y' ELSE 'n' END, CASE x WHEN 1 THEN 2 END,
  CAST(a AS DOUBLE PRECISION), b::int[], -a * (b || c) / 2, EXISTS (SELECT 1), a = ANY (SELECT 1),
  name LIKE 'a%' ESCAPE '\', (1, 2) = (1, 2), x IS DISTINCT FROM y, :p, @q, $1
