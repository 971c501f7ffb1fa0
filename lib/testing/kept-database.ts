import type { Store } from '@/lib/store/database';

/** A database whose rows come back. */
export interface KeptDatabase {
  /** True if a statement has inserted, changed or deleted rows since they were kept or restored. */
  isWritten(): Promise<boolean>;
  /** The tables that have other rows than were kept, by name. */
  changedTables(): Promise<readonly string[]>;
  /** Brings back the rows that were kept. It takes milliseconds, since only tables that were written are filled again. */
  restore(): Promise<void>;
}

/** Copies all rows into the schema `kept`, and gives each table a trigger that notes when it is written. */
const keep = `
  CREATE SCHEMA kept;
  CREATE TABLE kept.written (copied regclass, source regclass);
  CREATE FUNCTION kept.note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO kept.written VALUES (TG_ARGV[0]::regclass, TG_RELID);
      RETURN NULL;
    END $$;
  CREATE FUNCTION kept.restore() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE each record;
    BEGIN
      -- Keeps triggers and foreign keys quiet until the end of the transaction.
      SET LOCAL session_replication_role = replica;
      FOR each IN SELECT DISTINCT copied, source FROM kept.written LOOP
        EXECUTE format('DELETE FROM %s', each.source);
        EXECUTE format('INSERT INTO %s SELECT * FROM %s', each.source, each.copied);
      END LOOP;
      DELETE FROM kept.written;
    END $$;
  DO $$
    DECLARE
      each record;
      copied text;
    BEGIN
      FOR each IN
        SELECT oid::regclass AS source, oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace NOT IN (
          SELECT oid FROM pg_namespace WHERE nspname IN ('kept', 'information_schema') OR nspname LIKE 'pg\\_%'
        )
      LOOP
        copied := format('kept.%I', each.oid);
        EXECUTE format('CREATE TABLE %s AS TABLE %s', copied, each.source);
        EXECUTE format(
          'CREATE TRIGGER kept AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s EXECUTE FUNCTION kept.note(%L)',
          each.source, copied
        );
      END LOOP;
    END $$;
`;

interface Written {
  readonly copied: string;
  readonly source: string;
  readonly name: string;
}

/** Keeps the rows that a database has now. Nobody else uses it once `settled` has resolved. */
export async function keepDatabase({ pool }: Store, settled = async () => {}): Promise<KeptDatabase> {
  await pool.query(keep);
  const isWritten = async () => {
    await settled();
    const { rows } = await pool.query<{ is: boolean }>('SELECT EXISTS (SELECT FROM kept.written) AS is');
    return rows[0]?.is === true;
  };
  return {
    isWritten,
    async changedTables() {
      await settled();
      const { rows } = await pool.query<Written>(
        `SELECT DISTINCT w.copied::text, w.source::text, c.relname AS name
         FROM kept.written w JOIN pg_class c ON c.oid = w.source ORDER BY c.relname`,
      );
      const changed: string[] = [];
      for (const { copied, source, name } of rows) {
        const { rowCount } = await pool.query(
          `(TABLE ${copied} EXCEPT ALL TABLE ${source}) UNION ALL (TABLE ${source} EXCEPT ALL TABLE ${copied}) LIMIT 1`,
        );
        if (rowCount !== 0) changed.push(name);
      }
      return changed;
    },
    async restore() {
      if (await isWritten()) await pool.query('SELECT kept.restore()');
    },
  };
}
