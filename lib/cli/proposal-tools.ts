import { z } from 'zod';
import { filesBody } from '@/lib/client/wire-files';
import { anchorWords, reviewAnchor } from '@/lib/graph/review/anchor';
import { type AppClient, AppRefusal } from './app-client';
import { type AppTool, appTool, draftName, projectInput, read } from './app-tool';

/** Tools with which a coding agent proposes changes and reads what people say about them. None approves or publishes. */
export const proposalTools: readonly AppTool[] = [
  appTool({
    name: 'propose_draft',
    description:
      'Writes files into a draft, and can open a review of it or add a version to the open one. It makes the draft from what is live if it is not there. A draft that is there takes changes only with the `version` that read_files answered. It never publishes, and never writes into the main draft. `null` removes a file.',
    isReadOnly: false,
    input: {
      project: projectInput,
      draft: draftName.refine((draft) => draft !== 'main', 'main belongs to people. Name another draft.'),
      version: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('of the draft, as read_files or the last propose_draft answered it. Leave it out for a new draft'),
      files: z.record(z.string().min(1).max(500), z.string().max(1_000_000).nullable()),
      review: z
        .strictObject({ title: z.string().min(1).max(200), body: z.string().max(10_000).default('') })
        .optional()
        .describe('Opens a review of the draft. If one is open, the files become its next version, and body says why'),
    },
    run: async (client, input) => await propose(client, input),
  }),
  appTool({
    name: 'read_review',
    description:
      'A review: its state, what it needs before it may go live, the verdicts and what ended them, and the comments with the part that each is about. Without `review`, the newest reviews.',
    isReadOnly: true,
    input: { project: projectInput, review: z.number().int().min(1).optional() },
    async run(client, { project, review }) {
      const reviews = `/api/v1/projects/${project}/reviews`;
      if (review === undefined) return listBody.parse(await read(client, reviews, { limit: 50 }));
      return toldReview(reviewBody.parse(await read(client, `${reviews}/${review}`)));
    },
  }),
];

interface Proposal {
  readonly project: string;
  readonly draft: string;
  readonly version?: number | undefined;
  readonly files: Readonly<Record<string, string | null>>;
  readonly review?: ReviewAsked | undefined;
}

interface ReviewAsked {
  readonly title: string;
  readonly body: string;
}

const draftsBody = z.object({ drafts: z.array(z.object({ name: z.string(), version: z.number() })) });

async function propose(client: AppClient, proposal: Proposal): Promise<unknown> {
  const { project, draft, files, review } = proposal;
  const of = `/api/v1/projects/${project}`;
  const { drafts } = draftsBody.parse(await read(client, `${of}/drafts`));
  const known = drafts.find(({ name }) => name === draft);
  const baseVersion = known === undefined ? await makeDraft(client, of, draft) : readVersion(known, proposal.version);
  const changes = Object.entries(files).map(([path, text]) => ({ path, text }));
  const saved = await client
    .send(`${of}/files`, { method: 'PATCH', body: { draft, baseVersion, changes } })
    .catch(async (error: unknown) => {
      // A refusal leaves nothing: the draft was made for these files. After a lost answer they may be saved, so it stays.
      const isRefused = error instanceof AppRefusal && error.status >= 400 && error.status < 500;
      if (known === undefined && isRefused) {
        const made = `${of}/drafts/${encodeURIComponent(draft)}`;
        // What was wrong with the files is worth more than why the empty draft stays.
        await client.send(made, { method: 'DELETE' }).catch(() => undefined);
      }
      throw error;
    });
  const { version } = z.object({ version: z.number() }).parse(await saved.json());
  const { checks } = z
    .looseObject({ checks: z.unknown() })
    .parse(await read(client, `${of}/releases/check`, { draft }));
  const told = await reviewed(client, of, draft, review);
  return { draft, isNew: known === undefined, version, checks, ...(told !== undefined && { review: told }) };
}

/** Returns the version that the caller has read. Throws an Error for the caller if that is not the newest one. */
function readVersion(
  { name, version }: { readonly name: string; readonly version: number },
  given: number | undefined,
): number {
  if (given === version) return version;
  const now = `The draft '${name}' is at version ${version}`;
  throw new Error(
    given === undefined
      ? `${now}, and may be somebody else's. Read its files with read_files and give the version that it answers, or name a draft that is not there.`
      : `${now}, not ${given}: it was changed since you read it. Read its files again, keep what others changed, and give version ${version}.`,
  );
}

/** Makes a draft from what is live, or from the draft `main` while nothing is. Returns its version. */
async function makeDraft(client: AppClient, of: string, name: string): Promise<number> {
  const body = z.object({ labels: z.array(z.object({ label: z.string(), revision: z.number() })) });
  const { labels } = body.parse(await read(client, `${of}/revisions`, { limit: 1 }));
  const live = labels.find(({ label }) => label === 'live');
  await client.send(`${of}/drafts`, { body: { name, ...(live !== undefined && { revision: live.revision }) } });
  const { version } = filesBody.parse(await read(client, `${of}/files`, { draft: name, binary: 'hash' }));
  return version;
}

/** Opens a review of a draft or adds a version to the open one. A refusal is an answer, because the files are saved. */
async function reviewed(
  client: AppClient,
  of: string,
  draft: string,
  asked: ReviewAsked | undefined,
): Promise<unknown> {
  const { reviews } = listBody.parse(await read(client, `${of}/reviews`, { status: 'open', limit: 200 }));
  const open = reviews.find((review) => review.draft === draft)?.number;
  if (asked === undefined) {
    if (open === undefined) return undefined;
    return { number: open, note: `Review ${open} is open and does not have these files. Pass review to add them.` };
  }
  try {
    if (open === undefined) return await (await client.send(`${of}/reviews`, { body: { draft, ...asked } })).json();
    const message = asked.body === '' ? asked.title : asked.body;
    const added = await client.send(`${of}/reviews/${open}/versions`, { body: { message } });
    return { number: open, ...z.looseObject({}).parse(await added.json()) };
  } catch (error) {
    if (!(error instanceof AppRefusal)) throw error;
    return { problem: `The files are saved, but no review has them: ${error.message}` };
  }
}

const listBody = z.object({
  reviews: z.array(
    z.object({
      ...{ number: z.number(), title: z.string(), status: z.string(), draft: z.string(), author: z.string() },
      version: z.number(),
    }),
  ),
});

const commentBody = z.object({
  ...{ author: z.string(), body: z.string(), suggestion: z.string().nullable() },
  ...{ appliedBy: z.string().nullable(), deletedAt: z.string().nullable() },
});

const reviewBody = z.object({
  ...{ number: z.number(), title: z.string(), body: z.string(), status: z.string(), author: z.string() },
  ...{ draft: z.string(), version: z.number(), missing: z.array(z.string()) },
  head: z.object({ number: z.number() }),
  verdicts: z.array(
    z.object({
      ...{ by: z.string(), verdict: z.string(), note: z.string(), revision: z.number() },
      ...{ staleAt: z.string().nullable(), staleBy: z.string().nullable() },
    }),
  ),
  threads: z.array(
    z.object({
      ...{ place: reviewAnchor, excerpt: z.string(), outdatedIn: z.number().nullable(), state: z.string() },
      comments: z.array(commentBody),
    }),
  ),
});

function toldReview({ head, verdicts, threads, ...review }: z.infer<typeof reviewBody>): unknown {
  return {
    ...review,
    revision: head.number,
    verdicts: verdicts.map(({ staleAt, staleBy, ...verdict }) => ({
      ...verdict,
      ...(staleAt === null ? { counts: true } : { counts: false, endedBy: staleBy }),
    })),
    comments: threads.map(({ place, comments, ...thread }) => ({
      about: anchorWords(place),
      anchor: place,
      ...thread,
      said: comments.flatMap(({ deletedAt, ...said }) => (deletedAt === null ? [said] : [])),
    })),
  };
}
