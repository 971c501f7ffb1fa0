import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { noReviewPolicy, type ReviewPolicy } from '@/lib/base/review-policy';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { getReview, giveVerdict, openReview, setReviewPolicy } from '@/lib/server/reviews';
import { release } from '@/lib/server/revisions';
import type { Store } from '@/lib/store/database';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { localActor } from './local-actor';

const limits = { files: 100, totalBytes: 1_000_000 };

/** The text of a card. `fields` are more lines of its front matter. */
export function cardText(name: string, text: string, fields = ''): string {
  return `---\nname: ${name}\nmodel: passthrough\n${fields}---\n${text}\n`;
}

/** A person with a role in one project. */
export function memberOf(project: ProjectId, name: string, role: Role): Actor {
  const members = new Map([[project, { role, answers: false }] as const]);
  const reach = { kind: 'person', userId: name, name, isAdministrator: false, members } as const;
  return { by: `${name.toLowerCase()}@x.org`, via: 'web', reach };
}

/** Short words for what tests of reviews do again and again. */
export function reviewDesk(store: Store) {
  const headOf = async (id: ProjectId, review: number) => (await getReview(localActor, id, review)).head.number;
  return {
    async project(files: Readonly<Record<string, string>>): Promise<ProjectId> {
      return await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
    },
    /** Saves a file of a draft. `null` removes it. */
    async write(id: ProjectId, path: string, text: string | null, options: { draft?: string; by?: Actor } = {}) {
      const draft = options.draft ?? 'main';
      const { version } = await findProject(store, id, draft);
      const changes = [{ path, file: text === null ? null : ({ kind: 'text', text } as const) }];
      await saveDraft(store, id, { draft, baseVersion: version, changes, limits, by: options.by?.by });
    },
    async demand(id: ProjectId, policy: Partial<ReviewPolicy>) {
      await setReviewPolicy(localActor, id, { ...noReviewPolicy, ...policy });
    },
    async open(actor: Actor, id: ProjectId, draft = 'main') {
      return (await openReview(actor, id, { draft, title: 'Shorter', body: 'Why' })).number;
    },
    headOf,
    async approve(actor: Actor, id: ProjectId, review: number) {
      const revision = await headOf(id, review);
      await giveVerdict(actor, id, review, { verdict: 'approve', revision, note: 'Fine' });
    },
    async publish(actor: Actor, id: ProjectId, draft = 'main') {
      return await release(actor, id, { label: 'live', target: { draft }, note: 'Go' });
    },
  };
}
