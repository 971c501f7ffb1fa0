'use client';

import { useRouter } from 'next/navigation';
import { callAction } from '@/app/call-action';
import { saveTest } from '@/app/p/[project]/tests/actions';
import { SaveTestForm, type SaveTestFormProps } from '@/components/tests/save-test-form';

interface NewTestClientProps extends Omit<SaveTestFormProps, 'onSave'> {
  readonly project: string;
  readonly run: string;
}

export function NewTestClient({ project, run, ...form }: NewTestClientProps) {
  const router = useRouter();
  return (
    <SaveTestForm
      {...form}
      onSave={async (input) => {
        const saved = await callAction(() => saveTest({ project, run, ...input }));
        if (!saved.ok) return saved.message;
        router.push(`/p/${project}/tests`);
        return undefined;
      }}
    />
  );
}
