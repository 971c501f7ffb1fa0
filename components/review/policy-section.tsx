'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ReviewPolicy } from '@/lib/base/review-policy';
import { PolicyForm } from './policy-form';
import type { Done } from './review-types';

export interface PolicySectionProps {
  readonly policy: ReviewPolicy;
  /** Why the person may not change it. */
  readonly refusal: string | undefined;
  readonly onSave: (policy: ReviewPolicy) => Done;
}

/** What the project asks before a revision goes live, in sentences. Its admins change it. */
export function PolicySection({ policy, refusal, onSave }: PolicySectionProps) {
  const [edits, setEdits] = useState(false);
  return (
    <section aria-label="What this project requires" className="flex max-w-2xl flex-col gap-2">
      <h2 className="font-medium text-ink text-sm">What this project requires</h2>
      {edits ? (
        <PolicyForm policy={policy} onSave={onSave} onClose={() => setEdits(false)} />
      ) : (
        <>
          <ul aria-label="Required before a revision goes live" className="flex flex-col gap-1 text-ink text-sm">
            {policyWords(policy).map((words) => (
              <li key={words} className="break-words">
                {words}
              </li>
            ))}
          </ul>
          {refusal === undefined ? (
            <Button size="sm" className="self-start" onClick={() => setEdits(true)}>
              Change the requirements
            </Button>
          ) : (
            <p className="text-muted text-xs">{refusal}</p>
          )}
        </>
      )}
    </section>
  );
}

function policyWords({ approvals, authorMayApprove, owners }: ReviewPolicy): readonly string[] {
  if (approvals === 0 && owners.length === 0) return ['Nothing is required: a draft is published without a review.'];
  return [
    ...(approvals > 0 ? [approvals === 1 ? 'One person must approve.' : `${approvals} people must approve.`] : []),
    ...owners.map(({ pattern, people }) => `${ownedWords(pattern)} needs the approval of ${people.join(' or ')}.`),
    authorMayApprove
      ? 'An approval of somebody who wrote a part of the change counts.'
      : 'An approval of somebody who wrote a part of the change does not count.',
  ];
}

function ownedWords(pattern: string): string {
  return pattern.startsWith('agent:') ? `A change of the agent ${pattern.slice(6)}` : `A change of ${pattern}`;
}
