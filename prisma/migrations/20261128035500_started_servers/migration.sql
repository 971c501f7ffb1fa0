-- A started server is named as `server:NAME`, because a folder may name one like a host. Names of before that may be either are kept as both.
UPDATE "Secret" SET hosts = hosts || ARRAY(SELECT 'server:' || place FROM unnest(hosts) place WHERE place !~ '[.:]' AND place <> 'localhost');
