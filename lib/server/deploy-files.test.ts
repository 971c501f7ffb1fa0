import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readParts } from './start-parts';

/* Nobody builds an image in these tests. They check that what the files for servers name is there. */

const packageJson = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const example = readFileSync('.env.example', 'utf8');
const page = readFileSync('docs/deploy.md', 'utf8');

/** True for a setting of Callboard: .env.example lists all. */
const isSetting = (name: string) => new RegExp(`^# ?${name.replace(/_FILE$/, '')}=`, 'm').test(example);
const settingsOf = (text: string) => [
  ...new Set([...text.matchAll(/\b(CALLBOARD_[A-Z_]+|DATABASE_URL(?:_FILE)?)\b/g)].map(([name]) => name)),
];

const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.union([z.object({ disable: z.literal(true) }), z.object({ test: z.array(z.string()) })]).optional(),
  ports: z.array(z.string()).default([]),
});
const compose = z
  .object({
    services: z.object({ database: service, web: service, worker: service }),
    volumes: z.record(z.string(), z.null()),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    networks: z.object({
      default: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string(), gateway: z.string() })) }) }),
    }),
  })
  .parse(parse(readFileSync('compose.yaml', 'utf8'), { merge: true }));

test('the Dockerfile builds from the lock file with files that exist, and runs as no root', () => {
  const lines = readFileSync('Dockerfile', 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [least = 0] = (packageJson.engines.node.match(/\d+/g) ?? []).map(Number);
  for (const image of of('FROM')) expect(Number(/^node:(\d+)-/.exec(image)?.[1])).toBeGreaterThanOrEqual(least);
  for (const copy of of('COPY').filter((line) => !line.startsWith('--from'))) {
    for (const source of copy.split(/\s+/).slice(0, -1)) expect([source, existsSync(source)]).toEqual([source, true]);
  }
  expect(of('RUN')[0]).toMatch(/^npm ci\b/);
  const scripts = lines.flatMap((line) => line.match(/\bbin\/[\w.]+/g) ?? []);
  expect(scripts.length).toBeGreaterThan(2);
  for (const script of scripts) expect([script, existsSync(script)]).toEqual([script, true]);
  expect(of('USER')).toEqual(['node']);
  expect(lines.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
    lines.findIndex((line) => line.startsWith('ENTRYPOINT')),
  );
  expect(of('HEALTHCHECK')[0]).toContain('/api/health');
  expect(existsSync('app/api/health/route.ts')).toBe(true);
  const [entry, command] = [of('ENTRYPOINT')[0], of('CMD')[0]].map((text) =>
    z.array(z.string()).parse(JSON.parse(text ?? '')),
  );
  expect(entry).toEqual(['node', 'bin/callboard.mjs', 'start']);
  expect(readParts(command ?? [])).toEqual(['web']);
  expect(settingsOf(lines.join('\n')).filter((name) => !isSetting(name))).toEqual([]);
});

test('what must not be in an image is left out', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const name of ['.git', '.env', '.callboard', 'node_modules', '.next', 'secrets'])
    expect(ignored).toContain(name);
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('/secrets/');
});

test('compose.yaml names settings, secrets and volumes that exist, and starts each part once', () => {
  const { services, secrets, volumes } = compose;
  expect([readParts(services.web.command ?? []), readParts(services.worker.command ?? [])]).toEqual([
    ['web'],
    ['worker'],
  ]);
  for (const one of [services.web, services.worker]) {
    expect(one.build).toBe('.');
    expect(Object.keys(one.environment).filter((name) => !isSetting(name))).toEqual([]);
    expect(one.environment).toMatchObject({
      DATABASE_URL_FILE: '/run/secrets/database-url',
      CALLBOARD_SECRET_KEY_FILE: '/run/secrets/secret-key',
    });
  }
  for (const one of Object.values(services)) {
    for (const secret of one.secrets) expect(Object.keys(secrets)).toContain(secret);
    for (const volume of one.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(one.depends_on)) expect(Object.keys(services)).toContain(other);
    for (const value of Object.values(one.environment)) {
      const secret = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
      if (secret !== undefined) expect(one.secrets).toContain(secret);
    }
  }
  expect(services.worker.volumes).toEqual([]);
  expect(services.database.ports).toEqual([]);
  expect(services.web.ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  expect(services.web.environment.CALLBOARD_TRUSTED_PROXIES).toContain(
    compose.networks.default.ipam.config[0]?.gateway ?? 'none',
  );
});

test('the page about servers names commands, files and settings that exist', () => {
  const starts = [...page.matchAll(/^ExecStart=\/usr\/bin\/node (\S+) start (.*)$/gm)];
  expect(starts.map(([, script = '', args = '']) => [existsSync(script), readParts(args.split(' '))])).toEqual([
    [true, ['web']],
    [true, ['worker']],
  ]);
  for (const [script] of page.matchAll(/\bbin\/[\w.]+\.mjs/g))
    expect([script, existsSync(script)]).toEqual([script, true]);
  expect(settingsOf(page).filter((name) => !isSetting(name))).toEqual([]);
  for (const need of [
    'proxy_buffering off',
    'proxy_set_header Host',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'client_max_body_size',
  ])
    expect(page).toContain(need);
});
