import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { Pool } from 'pg';

/**
 * Runs Prisma's schema engine as WebAssembly, connected to Postgres through the `pg` driver. The command `prisma migrate
 * deploy` would download a binary, but this engine is part of an npm package. The package expects a bundler to load its
 * `.wasm`, so the code here loads it.
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  schema: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const bindings = await loadBindings();
  const pool = new Pool({ connectionString: databaseUrl });
  // A connection that breaks fails its statement. Without a listener, the error would also end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapters = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const datamodels: [string, string][] = [['schema.prisma', schema]];
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapters);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

/**
 * Sends a migration to the server as one script. The adapter would cut it at each `;`, also inside the body of a function. As one
 * script it is one transaction too: a process that is killed leaves no half of a migration.
 */
class WholeScripts extends PrismaPg {
  constructor(private readonly pool: Pool) {
    super(pool);
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await this.pool.query(script);
    };
    return adapter;
  }
}

type Bindings = typeof import('@prisma/schema-engine-wasm/schema_engine_bg') & {
  __wbg_set_wasm(wasm: WebAssembly.Exports): void;
};

/**
 * The package keeps one instance, in its own module. A second one would break calls of the first that are under way, and this
 * module may be evaluated several times in a process: by fast refresh, and by test files that share a process.
 */
declare global {
  var callboardSchemaEngine: Promise<Bindings> | undefined;
}

function loadBindings(): Promise<Bindings> {
  globalThis.callboardSchemaEngine ??= instantiate();
  return globalThis.callboardSchemaEngine;
}

async function instantiate(): Promise<Bindings> {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings: Bindings = await import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ pathToFileURL(path).href
  );
  const bytes = await readFile(join(dirname(path), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...bindings } });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === 'function') start();
  return bindings;
}
