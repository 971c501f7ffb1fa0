'use client';

import { CircleAlert, CircleDollarSign } from 'lucide-react';
import Link from 'next/link';
import type { BudgetNotice } from '@/lib/base/limits';

/** Says that the budget of the month is nearly or wholly used, and who can raise it. */
export function BudgetBar({ notice }: { readonly notice: BudgetNotice | null }) {
  if (notice === null) return null;
  const { isSpent, text, mayRaise } = notice;
  const Icon = isSpent ? CircleAlert : CircleDollarSign;
  return (
    <div
      role="status"
      className={`flex shrink-0 items-start gap-2 border-b px-3 py-1 text-ink text-xs ${isSpent ? 'bg-bad-soft' : 'bg-warn-soft'}`}
    >
      <Icon size={15} aria-hidden className={`mt-px shrink-0 ${isSpent ? 'text-bad' : 'text-warn'}`} />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{isSpent ? 'Budget used up.' : 'Budget nearly used.'}</span> {text}
        {mayRaise && (
          <>
            {' '}
            <Link href="/settings/limits" className="text-accent underline underline-offset-2">
              Open limits
            </Link>
          </>
        )}
      </p>
    </div>
  );
}
