import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { type Membership, type PersonReach, roles, scopes } from '@/lib/base/rights';

const elsewhere = brandAs<ProjectId>('another-project');

interface Own {
  readonly project: ProjectId;
  readonly run: RunId;
}

/** Returns every kind of actor for a project: nobody, people of other projects, each role, tokens of each scope, and links to its run. */
export function everyActor({ project, run }: Own): ReadonlyMap<string, Actor | undefined> {
  const admin = new Map([[project, { role: 'admin', answers: true } as const]]);
  const token = (fields: NonNullable<PersonReach['token']>) => person({ members: admin, token: fields });
  return new Map<string, Actor | undefined>([
    ['nobody', undefined],
    ['somebody of another project', person({ members: new Map([[elsewhere, { role: 'admin', answers: true }]]) })],
    ...roles.map((role) => [role, person({ members: of(project, { role, answers: false }) })] as const),
    ['viewer who answers', person({ members: of(project, { role: 'viewer', answers: true }) })],
    ['administrator', person({ isAdministrator: true })],
    ...scopes.map((scope) => [`token to ${scope}`, token({ id: 't', scopes: [scope] })] as const),
    ['token of another project', token({ id: 't', scopes, project: elsewhere })],
    ['token of this project', token({ id: 't', scopes, project })],
    ['link with texts', link({ project, run }, true)],
    ['link without texts', link({ project, run }, false)],
    ['link to another run', link({ project, run: brandAs<RunId>('another-run') }, true)],
  ]);
}

function of(project: ProjectId, membership: Membership): ReadonlyMap<ProjectId, Membership> {
  return new Map([[project, membership]]);
}

function person(fields: Partial<PersonReach>): Actor {
  const reach = {
    kind: 'person',
    userId: 'u',
    name: 'Ann',
    isAdministrator: false,
    members: new Map(),
    ...fields,
  } as const;
  return { by: 'ann@example.org', via: 'web', reach };
}

function link(own: Own, texts: boolean): Actor {
  return {
    by: 'share link cbs_12345678',
    via: 'link',
    reach: { kind: 'share', link: 'l', address: '192.0.2.1', ...own, texts },
  };
}
