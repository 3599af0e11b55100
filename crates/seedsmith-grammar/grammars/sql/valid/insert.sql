insert into t (a, "b c", `d`) values (1, 'it''s', null), (-2.5e3, x'1F', ?1);
INSERT INTO t SELECT * FROM u;
INSERT INTO t DEFAULT VALUES RETURNING id
