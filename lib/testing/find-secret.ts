/** True if a text holds a secret: as it is, reversed, in hexadecimal, URL-encoded, or in Base64 wherever it begins. */
export function holdsSecret(text: string, secret: string): boolean {
  return encodings(secret).some((form) => text.includes(form)) || urlDecoded(text).includes(secret);
}

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // A secret may begin at three places of a group of three bytes. The characters at both ends depend on the neighbours, so
  // they are cut.
  const base64 = [0, 1, 2].map((before) => {
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4);
  });
  return [secret, [...secret].reverse().join(''), hex, hex.toUpperCase(), ...base64];
}

function urlDecoded(text: string): string {
  if (!text.includes('%')) return '';
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
