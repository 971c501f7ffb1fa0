import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keptPackages } from '@/bin/kept-packages.mjs';
import { writeNotices } from '@/bin/notices.mjs';
import { globMatch } from '@/lib/base/fnmatch';

const names = z.record(z.string(), z.string());
const { dependencies, devDependencies, allowScripts } = z
  .object({ dependencies: names, devDependencies: names, allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const locked = z.looseObject({
  hasInstallScript: z.boolean().optional(),
  dependencies: names.optional(),
  engines: z.looseObject({ node: z.string().optional() }).optional(),
});
const { packages } = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('the page about libraries has each direct dependency and its reason, and no other', () => {
  const [, given = '', rows = ''] =
    /these libraries: ([^.]*\.)(.*?)\n## /s.exec(readFileSync('docs/libraries.md', 'utf8')) ?? [];
  const listed = [
    ...(given
      .split('.')[0]
      ?.split(/,\s+/)
      .map((name) => name.trim()) ?? []),
    ...[...rows.matchAll(/^\| ([^|]+) \|/gm)]
      .slice(2)
      .flatMap(([, cell = '']) => cell.split(/,\s+/).map((name) => name.replace(/ [\d.]+$/, '').trim())),
  ];
  const direct = Object.keys({ ...dependencies, ...devDependencies });
  expect(direct.filter((name) => !listed.some((pattern) => globMatch(pattern, name)))).toEqual([]);
  expect(listed.filter((pattern) => !direct.some((name) => globMatch(pattern, name)))).toEqual([]);
});

test('it is decided for each package with an install script whether it may run', () => {
  const withScript = Object.keys(packages)
    .filter((place) => packages[place]?.hasInstallScript === true)
    .map(nameOf);
  expect([...new Set(withScript)].filter((name) => !(name in allowScripts))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !withScript.includes(name))).toEqual([]);
});

const oldestNode: Version = [20, 19, 0];

test('every package runs on the oldest Node that Callboard runs on, so that npm warns of none', () => {
  const refusing = Object.entries(packages).filter(([, { engines }]) => !hasVersion(engines?.node ?? '*', oldestNode));
  expect(refusing.map(([place]) => place)).toEqual([]);
});

test.each([
  ['*', true],
  ['>= 10.x', true],
  ['^20.19.0 || >=22.12.0', true],
  ['18 || 20 || >=22', true],
  ['~20.19', true],
  ['18 - 20', true],
  ['>=20.9.0 <21', true],
  ['>=18 <20', false],
  ['>=18.0.0 <=20.9', false],
  ['18 - 20.18', false],
  ['^18 || >=22', false],
  ['>20.19.0', false],
  ['^20.19.1', false],
  ['~20.18', false],
])('the range %s has the oldest Node: %s', (range, isIn) => {
  expect(hasVersion(range, oldestNode)).toBe(isIn);
});

type Version = readonly [major: number, minor: number, patch: number];

/** True if a range as npm writes them has this version. */
function hasVersion(range: string, version: Version): boolean {
  return range.split('||').some((part) => {
    const between = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(part);
    const comparators = between
      ? [`>=${between[1]}`, `<=${between[2]}`]
      : part.replace(/([<>=^~])\s+/g, '$1').split(/\s+/);
    return comparators.every((one) => one === '' || fits(one, version));
  });
}

/** A comparator stands for the versions from `first` to before `next`: `^20.1` from 20.1.0 to before 21.0.0. */
function fits(comparator: string, version: Version): boolean {
  const [, sign = '', rest = ''] = /^([<>]=?|=|\^|~)?v?(.*)$/.exec(comparator) ?? [];
  const given = rest.split('.').flatMap((one) => (/^\d+$/.test(one) ? [Number(one)] : []));
  if (given.length === 0) return true;
  const [major = 0, minor = 0, patch = 0] = given;
  const first: Version = [major, minor, patch];
  const isMajor = sign === '^' || given.length === 1;
  const isMinor = sign === '~' || given.length === 2;
  const next: Version = isMajor ? [major + 1, 0, 0] : isMinor ? [major, minor + 1, 0] : [major, minor, patch + 1];
  const [fromFirst, beforeNext] = [compare(version, first) >= 0, compare(version, next) < 0];
  switch (sign) {
    case '>=':
      return fromFirst;
    case '>':
      return !beforeNext;
    case '<=':
      return beforeNext;
    case '<':
      return !fromFirst;
    default:
      return fromFirst && beforeNext;
  }
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

test('a built app keeps what it needs, with all that this needs, and no tool of development', () => {
  const kept = keptPackages(packages);
  const keptNames = new Set([...kept].map(nameOf));
  for (const name of Object.keys(dependencies)) expect(keptNames).toContain(name);
  for (const place of kept)
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) expect(keptNames).toContain(name);
  for (const name of ['prisma', '@prisma/engines', 'vitest', 'playwright', 'effect'])
    expect(keptNames).not.toContain(name);
});

test('a package inside another is found before one of the same name further up', () => {
  const lock = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': {
      dependencies: { b: '2' },
      peerDependencies: { c: '1', d: '1' },
      peerDependenciesMeta: { c: { optional: true } },
    },
    'node_modules/a/node_modules/b': {},
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/d': {},
  };
  expect([...keptPackages(lock)].sort()).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/d']);
});

test('the notices name each package that is installed, with its licence, and a text of several once', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'callboard-notices-'));
  const lock = {
    '': { dependencies: { a: '1', b: '1', gone: '1' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '2.0.0', license: 'MIT' },
    'node_modules/gone': { version: '3.0.0', license: 'MIT' },
  };
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: lock }));
  mkdirSync(path.join(root, 'public'));
  for (const name of ['a', 'b']) {
    mkdirSync(path.join(root, 'node_modules', name), { recursive: true });
    writeFileSync(path.join(root, 'node_modules', name, 'LICENSE.md'), 'Permission is granted.');
  }
  writeNotices(root);
  const text = readFileSync(path.join(root, 'public/third-party-notices.txt'), 'utf8');
  expect(text).toContain('a 1.0.0 (MIT)\nb 2.0.0 (MIT)\n\nPermission is granted.\n');
  expect(text.split('Permission is granted.')).toHaveLength(2);
  expect(text).not.toContain('gone');
  rmSync(root, { recursive: true });
});
