import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from './ids';
import {
  type Action,
  actions,
  decide,
  type PersonReach,
  type ProjectRight,
  type Reach,
  type Role,
  rightsIn,
  rightsOfRole,
  roleFor,
  roles,
  type Scope,
  scopeFor,
  scopes,
} from './rights';

const here = brandAs<ProjectId>('here');
const other = brandAs<ProjectId>('other');
const all = Object.keys(actions) as Action[];

function person(input: Partial<PersonReach> & { role?: Role; answers?: boolean } = {}): PersonReach {
  const { role, answers = false, ...rest } = input;
  const members = new Map(role === undefined ? [] : [[here, { role, answers }]]);
  return { kind: 'person', userId: 'u', name: 'Ann', isAdministrator: false, members, ...rest };
}

const inProject = (reach: Reach) => all.filter((action) => decide(reach, action, here) === 'allowed');

describe('roles', () => {
  test('each role has the rights of the role before it, and one more', () => {
    expect(roles.map((role) => rightsOfRole(role))).toEqual([
      ['read'],
      ['read', 'run'],
      ['read', 'run', 'edit'],
      ['read', 'run', 'edit', 'review'],
      ['read', 'run', 'edit', 'review', 'manage'],
    ]);
    expect(roleFor('edit')).toBe('editor');
    expect(roleFor('answer')).toBeUndefined();
  });

  test('answering questions is a separate right, which no role has and each person may get', () => {
    for (const role of roles) {
      expect(decide(person({ role }), 'item.answer', here)).toBe('refused');
      expect(decide(person({ role, answers: true }), 'item.answer', here)).toBe('allowed');
      expect(decide(person({ role, answers: true }), 'grant.revoke', here)).toBe('allowed');
    }
  });

  test('what each role may do in its project', () => {
    const gained = roles.map((role, index) => {
      const before = index === 0 ? [] : inProject(person({ role: roles[index - 1] as Role }));
      return inProject(person({ role })).filter((action) => !before.includes(action));
    });
    expect(gained).toEqual([
      ['project.read', 'project.export', 'run.read', 'run.texts', 'score.read', 'item.read'],
      ['run.start', 'run.stop', 'run.import', 'conversation.delete'],
      ['project.edit', 'review.write', 'trigger.set', 'run.delete', 'run.share', 'score.write'],
      ['project.review', 'review.decide'],
      [
        'project.override',
        'project.delete',
        'project.trust',
        'project.members',
        'secrets.set',
        'policy.set',
        'settings.change',
        'audit.read',
      ],
    ]);
  });

  test('nobody without a role learns that a project exists, and no role counts in another project', () => {
    for (const action of all) {
      expect(decide(person(), action, here)).toBe('unseen');
      expect(decide(person({ role: 'admin', answers: true }), action, other)).toBe('unseen');
    }
  });

  test('an administrator may do everything in every project, an admin of a project nothing for the installation', () => {
    const administrator = person({ isAdministrator: true });
    const needsProject = all.filter(
      (action) => !['use', 'create', 'administer', 'self'].includes(actions[action].needs),
    );
    for (const action of needsProject) expect(decide(administrator, action, other)).toBe('allowed');
    for (const action of all) expect(decide(administrator, action, null)).toBe('allowed');
    const admin = person({ role: 'admin', answers: true });
    expect(all.filter((action) => decide(admin, action, null) === 'allowed')).toEqual([
      'project.create',
      'installation.use',
      'account.enter',
      'account.self',
    ]);
  });

  test('a person without the second factor that everybody needs may only change how to sign in', () => {
    const held = { ...person({ isAdministrator: true, role: 'admin', answers: true }), lacksSecondFactor: true };
    expect(
      [here, other, null].flatMap((project) => all.filter((action) => decide(held, action, project) === 'allowed')),
    ).toEqual(['account.enter']);
    for (const action of all) expect(scopeFor(held, action)).toEqual([]);
    expect(rightsIn(held, here)).toEqual(new Set());
  });

  test('without accounts the one person may do everything', () => {
    for (const action of all)
      for (const project of [here, null]) expect(decide('all', action, project)).toBe('allowed');
  });
});

describe('tokens', () => {
  const anyone = fc.record({
    role: fc.option(fc.constantFrom(...roles), { nil: undefined }),
    answers: fc.boolean(),
    isAdministrator: fc.boolean(),
  });
  const anyToken = fc.record({
    id: fc.constant('t'),
    scopes: fc.subarray<Scope>([...scopes]),
    project: fc.option(fc.constantFrom(here, other), { nil: undefined }),
  });

  test('a token never allows what its person may not do', () => {
    fc.assert(
      fc.property(
        anyone,
        anyToken,
        fc.constantFrom(...all),
        fc.constantFrom(here, other, null),
        (who, token, action, project) => {
          const [bare, narrowed] = [person(who), person({ ...who, token })];
          if (decide(narrowed, action, project) === 'allowed') expect(decide(bare, action, project)).toBe('allowed');
        },
      ),
    );
  });

  test('a scope allows the actions that need its right, and reading', () => {
    for (const scope of ['read', 'run', 'answer', 'edit', 'review', 'manage'] as const) {
      const reach = person({ role: 'admin', answers: true, token: { id: 't', scopes: [scope] } });
      const needs: readonly ProjectRight[] = ['read', scope];
      expect([...rightsIn(reach, here)].sort()).toEqual([...new Set(needs)].sort());
    }
  });

  test('a token of one project has nothing in another, and nothing in the installation', () => {
    const reach = person({ isAdministrator: true, token: { id: 't', scopes: [...scopes], project: here } });
    for (const action of all) expect(decide(reach, action, other)).toBe('unseen');
    expect(decide(reach, 'project.read', here)).toBe('allowed');
    expect(all.filter((action) => decide(reach, action, null) === 'allowed')).toEqual(['installation.use']);
  });

  test('the scope for sending runs does nothing else, and needs a person who may run', () => {
    const token = { id: 't', scopes: ['ingest'] as const };
    expect(inProject(person({ role: 'runner', token }))).toEqual(['run.import']);
    expect(inProject(person({ role: 'viewer', token }))).toEqual([]);
    expect(scopeFor(person({ role: 'admin', token }), 'project.read')).toEqual([]);
  });

  test('no token changes the account that it belongs to', () => {
    const token = { id: 't', scopes: [...scopes] };
    expect(decide(person({ isAdministrator: true, token }), 'account.self', null)).toBe('refused');
  });

  test('a list has exactly the projects in which its action is allowed', () => {
    const inAProject = all.filter((action) => !['use', 'create', 'administer', 'self'].includes(actions[action].needs));
    fc.assert(
      fc.property(
        anyone,
        fc.option(anyToken, { nil: undefined }),
        fc.constantFrom(...inAProject),
        (who, token, action) => {
          const reach = person(token === undefined ? who : { ...who, token });
          const scope = scopeFor(reach, action);
          for (const project of [here, other]) {
            const listed = scope === 'all' || scope.includes(project);
            // A token that only sends runs is asked for one project at a time.
            if (action !== 'run.import') expect(listed).toBe(decide(reach, action, project) === 'allowed');
          }
        },
      ),
    );
  });
});

describe('share links', () => {
  const run = brandAs<RunId>('r');
  test('a share link shows its run and nothing else, and texts only if it was made with texts', () => {
    const bare: Reach = { kind: 'share', link: 'l', address: '192.0.2.1', run, project: here, texts: false };
    expect(inProject(bare)).toEqual(['run.read']);
    expect(inProject({ ...bare, texts: true })).toEqual(['run.read', 'run.texts']);
    for (const action of all) {
      expect(decide(bare, action, other)).toBe('unseen');
      expect(decide(bare, action, null)).not.toBe('allowed');
    }
  });
});
