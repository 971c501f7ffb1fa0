import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ContentBlock } from './content-block';

it('shows a picture that browsers show, and offers every one for download', () => {
  render(<ContentBlock block={{ type: 'image', data: 'AA==', mimeType: 'image/png' }} isError={false} />);
  expect(screen.getByRole('img')).toHaveProperty('src', 'data:image/png;base64,AA==');
  expect(screen.getByRole('link', { name: 'Download' })).toHaveProperty('download', 'answer.png');
});

it('shows no picture of a kind that may run code', () => {
  render(<ContentBlock block={{ type: 'image', data: 'AA==', mimeType: 'image/svg+xml' }} isError={false} />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByRole('link', { name: 'Download' })).not.toBeNull();
});

it('shows what it does not know as JSON', () => {
  render(<ContentBlock block={{ type: 'resource_link', uri: 'file:///a' }} isError={false} />);
  expect(screen.getByRole('heading').textContent).toBe('resource link');
  expect(screen.getByText(/file:\/\/\/a/)).not.toBeNull();
});
