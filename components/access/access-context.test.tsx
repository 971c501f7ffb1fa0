import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ProjectAccess } from '@/lib/base/project-access';
import { AccessContext, useWhyNot } from './access-context';

function WhyNot() {
  return <output>{useWhyNot('run.start') ?? 'allowed'}</output>;
}

it('allows everything where one person works without accounts', () => {
  render(<WhyNot />);
  expect(screen.getByRole('status').textContent).toBe('allowed');
});

it('says what a person lacks, and whom to ask', () => {
  const access: ProjectAccess = { rights: ['read'], role: 'viewer', ask: 'Ada', accounts: true };
  render(
    <AccessContext value={access}>
      <WhyNot />
    </AccessContext>,
  );
  expect(screen.getByRole('status').textContent).toMatch(/^You may not .* yours is viewer\. Ask Ada\.$/);
});
