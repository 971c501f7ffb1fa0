/** A provider with which people sign in (OpenID Connect). docs/accounts.md explains the variables. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The words on the button. */
  readonly label: string;
  /** In lower case. Empty: every domain. */
  readonly domains: readonly string[];
  /** True if people of these domains need no invitation. */
  readonly createsPeople: boolean;
  /** True if addresses count that the provider has not verified. */
  readonly trustsAddresses: boolean;
}

/** The name of the provider in rows and addresses. */
export const oidcProvider = 'oidc';

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables `CALLBOARD_OIDC_*`, and says as sentences what is wrong with them. Without any of them there is no provider. */
export function readOidcSettings(source: Variables): {
  readonly settings: OidcSettings | undefined;
  readonly problems: readonly string[];
} {
  const issuer = source.CALLBOARD_OIDC_ISSUER;
  const clientId = source.CALLBOARD_OIDC_CLIENT_ID;
  const clientSecret = source.CALLBOARD_OIDC_CLIENT_SECRET;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) {
    return { settings: undefined, problems: [] };
  }
  const problems = [
    ...[
      ['CALLBOARD_OIDC_ISSUER', issuer] as const,
      ['CALLBOARD_OIDC_CLIENT_ID', clientId] as const,
      ['CALLBOARD_OIDC_CLIENT_SECRET', clientSecret] as const,
    ].flatMap(([name, value]) =>
      value === undefined ? [`${name} is missing: sign-in with a provider needs it.`] : [],
    ),
    ...(issuer === undefined || isAllowedIssuer(issuer)
      ? []
      : ['CALLBOARD_OIDC_ISSUER must be an address with https, such as https://login.example.org.']),
    ...(['CALLBOARD_OIDC_CREATE', 'CALLBOARD_OIDC_TRUST_EMAIL'] as const).flatMap((name) =>
      ['0', '1', undefined].includes(source[name]) ? [] : [`${name} must be 1 or 0.`],
    ),
  ];
  const domains = (source.CALLBOARD_OIDC_DOMAINS ?? '')
    .split(',')
    .map((domain) => domain.trim().toLowerCase().replace(/^@/, ''))
    .filter((domain) => domain !== '');
  const createsPeople = source.CALLBOARD_OIDC_CREATE === '1';
  if (createsPeople && domains.length === 0) {
    problems.push(
      'CALLBOARD_OIDC_CREATE=1 lets in everybody whom the provider knows. Name the domains of their e-mail addresses in CALLBOARD_OIDC_DOMAINS.',
    );
  }
  if (problems.length > 0 || issuer === undefined || clientId === undefined || clientSecret === undefined) {
    return { settings: undefined, problems };
  }
  const label = source.CALLBOARD_OIDC_LABEL ?? 'Single sign-on';
  const trustsAddresses = source.CALLBOARD_OIDC_TRUST_EMAIL === '1';
  return { settings: { issuer, clientId, clientSecret, label, domains, createsPeople, trustsAddresses }, problems };
}

/** Returns the variables of a process that signs nobody in, such as a worker. It is not sent the secret of the provider. */
export function withoutProvider(source: Variables): Variables {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !name.startsWith('CALLBOARD_OIDC_')));
}

/** Tokens of a provider go over TLS, but for one on this machine. */
function isAllowedIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
