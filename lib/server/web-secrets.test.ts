import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pickProviderVariables } from '@/lib/cards/models/providers';
import { openHookSecret, readHookKeys, sealHookSecret } from '@/lib/store/hook-secret';
import { secretKeyBytes } from '@/lib/store/key-text';
import { openingKey, seal, sealingKey, unseal } from '@/lib/store/sealing';
import { ensureSecretKey, replaceSecretKey } from './secret-key';
import { secretsOfWeb } from './web-secrets';

const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-web-secrets-'));
afterAll(() => rmSync(dataFolder, { recursive: true }));

const settings = { dataFolder, secretKey: undefined, oldSecretKey: undefined };
const old = ensureSecretKey(settings);
replaceSecretKey(dataFolder);
const key = ensureSecretKey(settings);

const providerKey = 'sk-of-the-operator-0123456789';
const given = secretsOfWeb({
  ...settings,
  models: pickProviderVariables({
    OPENAI_API_KEY: providerKey,
    OPENAI_BASE_URL: `https://user:${providerKey}@models.example/v1?key=${providerKey}`,
  }),
  oidc: undefined,
  prices: [],
});
const texts = Object.values(given).filter((text) => text !== undefined);

test('the web process is given these variables and no other, and no key of a provider', () => {
  // What is added here is said in the table of processes of docs/security-reach.md.
  expect(Object.keys(given).sort()).toEqual([
    'CALLBOARD_ACCOUNTS_KEY',
    'CALLBOARD_HOOKS_KEY',
    'CALLBOARD_LINK_KEY',
    'CALLBOARD_OIDC_CLIENT_SECRET',
    'CALLBOARD_PRICE_LIST',
    'CALLBOARD_SEALING_KEY',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
  ]);
  expect(given).toMatchObject({ OPENAI_API_KEY: 'set', OPENAI_BASE_URL: 'https://models.example/v1' });
  expect(texts.join(' ')).not.toContain(providerKey);
});

test('what the web process is given opens the secrets of webhooks, and no other', () => {
  const sealed = seal('the secret', 'project/NAME', sealingKey(given.CALLBOARD_SEALING_KEY ?? ''));
  expect(unseal(sealed, 'project/NAME', key)).toBe('the secret');
  const parts = texts.flatMap((text) => text.split(/[,.]/));
  expect(parts.length).toBeGreaterThanOrEqual(8);
  for (const part of parts) {
    // Each as the secret key itself: in all forms in which one may be written.
    for (const bytes of [secretKeyBytes(part), Buffer.from(part, 'base64url'), Buffer.from(part)]) {
      expect(() => unseal(sealed, 'project/NAME', openingKey(bytes))).toThrow('does not open');
      expect(() => unseal(sealed, 'project/NAME', { ...openingKey(bytes), publicKey: key.publicKey })).toThrow(
        'does not open',
      );
    }
  }

  const keys = readHookKeys(given.CALLBOARD_HOOKS_KEY ?? '');
  for (const each of [key, old]) expect(openHookSecret(sealHookSecret('whsec', 'id', each), 'id', keys)).toBe('whsec');
});
