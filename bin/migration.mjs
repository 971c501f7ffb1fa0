// Writes the next migration: node bin/migration.mjs NAME
// Compares prisma/schema.prisma with the committed one. Needs a Postgres (DATABASE_URL), which it does not change.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const root = fileURLToPath(new URL('..', import.meta.url));
const name = process.argv[2];
const databaseUrl = process.env.DATABASE_URL;
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name) || databaseUrl === undefined) {
  console.error('Usage: DATABASE_URL=postgresql://… node bin/migration.mjs name_in_snake_case');
  process.exit(2);
}
const { migrationSql } = await tsImport('../lib/store/migrate.ts', {
  parentURL: import.meta.url,
  tsconfig: join(root, 'tsconfig.json'),
});
const sql = await migrationSql(
  databaseUrl,
  committedSchema(),
  readFileSync(join(root, 'prisma/schema.prisma'), 'utf8'),
);
if (sql.trim() === '' || sql.includes('This is an empty migration')) {
  console.error('prisma/schema.prisma has no change to migrate.');
  process.exit(1);
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = join(root, 'prisma/migrations', `${stamp}_${name}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'migration.sql'), sql);
console.log(folder);

function committedSchema() {
  try {
    return execFileSync('git', ['show', 'HEAD:prisma/schema.prisma'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
