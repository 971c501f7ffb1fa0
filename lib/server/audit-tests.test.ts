import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { auditActions } from '@/lib/base/audit';

/** Tests that read the audit log: by its function, by its table or by the HTTP API. */
const reads = /\bfindAudit\(|\.audit\.findMany\(|"Audit"|v1\/audit\/route/;

test('each action is named by a test that reads the audit log', () => {
  const texts = ['app', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .filter((text) => reads.test(text)),
  );
  const named = new Set(texts.flatMap((text) => text.match(/(?<=')[a-z_]+\.[a-z_]+(?=[' ])/g) ?? []));
  expect(auditActions.filter((action) => !named.has(action))).toEqual([]);
});
