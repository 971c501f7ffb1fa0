import { expect, it } from 'vitest';
import { qrCode } from '@/lib/base/qr-code';
import { appAddress, codeAt, isCodeOf, newCodeSecret } from './one-time-code';

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is that of RFC 6238', (second, code) => {
  expect(codeAt(secret, second * 1_000)).toBe(code);
});

it('a code fits in its 30 seconds, and in those beside them', () => {
  const at = (second: number) => isCodeOf(secret, '081804', second * 1_000);
  expect([1_111_111_049, 1_111_111_050, 1_111_111_109, 1_111_111_139, 1_111_111_140].map(at)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(['', '81804', '0818040', '08180é'].map((code) => isCodeOf(secret, code, 1_111_111_109_000))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('each secret is another one, and the address fits into a QR code also for a long name', () => {
  const made = newCodeSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newCodeSecret()).not.toBe(made);
  const address = appAddress(made, `${'ä'.repeat(30)}${'a'.repeat(200)}@example.org`);
  expect(qrCode(appAddress(made, 'ann@example.org')).length).toBeLessThan(50);
  expect(() => qrCode(address)).not.toThrow();
});
