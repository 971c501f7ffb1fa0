import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { holdsSecret } from '@/lib/testing/find-secret';
import { answerHostile, hostileFolder } from '@/lib/testing/hostile-folder';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { hasPython } from '@/lib/testing/test-code-hosts';

/** On the command line, the process that runs the folder has the secrets in its own environment: the hardest case. */

const canary = 'cnry-5b8e21f0c4d7a963-unlisted';
const key = 'sk-cnry-61d0f7a2b95c4e38-of-the-operator';
const listed = 'lstd-9d31c0aa47be5562-given';
const looksAround = systemFence().kind !== 'none';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!hasPython())('a hostile folder gets only the listed variables of the environment', async () => {
  const trap = await startRequestTrap();
  const model = await startFakeOpenAI({ respond: answerHostile(looksAround) });
  for (const [name, text] of Object.entries(hostileFolder(trap.url, { looksAround }))) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const args = ['run', folder, '--message', `\${CANARY}`, '--python', '--json', '--trust', '--env', 'LISTED'];
  const child = spawn(process.execPath, ['bin/callboard.mjs', ...args], {
    env: {
      ...process.env,
      CANARY: canary,
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: model.url,
      LISTED: listed,
      CALLBOARD_SHELL: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  await Promise.all([trap.close(), model.close()]);

  expect({ code, output: output.slice(-500) }).toMatchObject({ code: 0 });
  for (const who of ['server', 'python', 'hook', 'shell']) expect(output).toMatch(`${who} looked at`);
  expect(output).toContain("Server 'wanting' cannot be used: it asks for the variable OPENAI_API_KEY.");
  expect(output).toContain(`given ${createHash('sha256').update(listed).digest('hex')}`);
  expect(output).toContain('given=***');
  expect(trap.requests.some((request) => request.startsWith(`/given?l=${listed}`))).toBe(true);
  expect(output).not.toContain(listed);
  expect(trap.requests.some((request) => request.startsWith('/stolen'))).toBe(true);

  const asked = model.requests.map(({ headers: { authorization, ...others }, body }) => {
    expect(authorization).toBe(`Bearer ${key}`);
    return JSON.stringify([others, body]);
  });
  expect(asked.length).toBeGreaterThanOrEqual(2);
  for (const text of [output, ...asked, ...trap.requests]) {
    expect({
      text: text.slice(0, 200),
      canary: holdsSecret(text, canary),
      key: holdsSecret(text, key),
    }).toMatchObject({
      canary: false,
      key: false,
    });
  }
});
