SELECT DISTINCT t.a, count(*) AS n, sum(b + 1) total
FROM t LEFT OUTER JOIN u AS x ON t.id = x.id, v
WHERE a > 1 AND NOT b IN (1, 2, 3) OR c BETWEEN 1 AND 10
GROUP BY t.a HAVING count(*) > 1
ORDER BY n DESC NULLS LAST, 1 LIMIT 10 OFFSET 5;
