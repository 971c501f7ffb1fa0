import { OAuthClientInformationSchema, OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';

/*
 * What workers keep of a sign-in, sealed. Nobody but the worker that uses it sees it.
 */

/** The client that was registered at the authorization server. */
const client = OAuthClientInformationSchema.extend({ token_endpoint_auth_method: z.string().optional() });

const place = {
  /** The address of the MCP server. Tokens are sent there alone. */
  address: z.string(),
  /** The resource that tokens are asked for (RFC 8707). */
  resource: z.string(),
  /** Where the authorization server was found. */
  authorizationServer: z.string(),
  /** How it names itself, if it has metadata. */
  issuer: z.string().optional(),
  /** `undefined` for a server of protocol 2025-03-26 without metadata: its endpoints have their usual paths. */
  metadata: OAuthMetadataSchema.optional(),
  client,
  scope: z.string().optional(),
};

/** A sign-in that a person has begun. */
export const begunSignIn = z.object({ ...place, redirectUrl: z.string(), codeVerifier: z.string() });
export type BegunSignIn = z.output<typeof begunSignIn>;

/** A sign-in with its tokens. */
export const keptSignIn = z.object({ ...place, accessToken: z.string(), refreshToken: z.string().optional() });
export type KeptSignIn = z.output<typeof keptSignIn>;

/** Every secret of a sign-in, to be hidden in what is recorded. */
export function secretsOfSignIn({ client: { client_secret: secret }, ...kept }: KeptSignIn): readonly string[] {
  return [kept.accessToken, kept.refreshToken, secret].flatMap((value) => (value === undefined ? [] : [value]));
}
