import { browserName } from './browser-name.ts';
import type { Person } from '../types.ts';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { EmailField, Field, NoticeText, PostButton } from '../../kernel/ui/fields.tsx';
import { andList } from '../../kernel/lists.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { type BrowserSession, SESSIONS_LISTED } from '../people.ts';
import { CurrentPassword } from './passwords.tsx';

/** The path of the form for another address. */
export const ADDRESS = '/account/address';

/** The outcome of a form of the page: its success, or the faults of its fields. */
export interface AccountResult {
  done?: string;
  nameFault?: string;
  addressFault?: string;
  addressPasswordFault?: string;
  passwordFault?: string;
  newPasswordFault?: string;
  closeFault?: string;
}

/** Name and address, and the forms that change them. */
export function Identity({ person: { name, email }, result }: { person: Person; result: AccountResult }) {
  const { nameFault, addressFault, addressPasswordFault } = result;
  const isAddressOpen = addressFault !== undefined || addressPasswordFault !== undefined;
  return (
    <section class="stack">
      <PostForm class="row" action="/account/name">
        <Field
          label="Your name"
          name="name"
          value={name}
          autocomplete="name"
          maxLength={80}
          hint="Shown to the other members of your workspaces."
          fault={nameFault}
        />
        <button>Change the name</button>
      </PostForm>
      <div>
        <p>
          E-mail address: <strong>{email}</strong>
        </p>
        <details open={isAddressOpen}>
          <summary>Change the address</summary>
          <PostForm class="stack" action={ADDRESS}>
            <EmailField
              label="New e-mail address"
              hint="We will send a link there. The address changes when you open it."
              fault={addressFault}
            />
            <CurrentPassword id="address-password" fault={addressPasswordFault} />
            <button>Send the link</button>
          </PostForm>
        </details>
      </div>
    </section>
  );
}

/** The sessions of a person, which they can end. */
export function Sessions({ sessions, own }: { sessions: readonly BrowserSession[]; own: string }) {
  return (
    <section>
      <h2>Sessions</h2>
      <Table
        rows={sessions}
        columns={[
          {
            head: 'Browser',
            kind: 'name',
            cell: ({ id, userAgent }) => (
              <>
                {browserName(userAgent)} {id === own ? <span class="tag good">this one</span> : null}
              </>
            ),
          },
          { head: 'Since', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
          {
            head: 'Actions',
            kind: 'actions',
            cell: ({ id, userAgent }) =>
              id === own ? null : (
                <PostButton
                  action={`/account/sessions/${id}/end`}
                  label="End"
                  look="small"
                  says={`End ${browserName(userAgent)}`}
                />
              ),
          },
        ]}
      />
      {sessions.length < SESSIONS_LISTED ? null : (
        <p class="hint">These are the {SESSIONS_LISTED} used last. "End all others" ends older ones, too.</p>
      )}
      {sessions.length < 2 ? null : <PostButton action="/account/sessions/others/end" label="End all others" />}
    </section>
  );
}

/** The closing of the account, with the workspaces that end with it. */
export function Close({ result, slugs, isSold }: { result: AccountResult; slugs: readonly string[]; isSold: boolean }) {
  const workspaces =
    slugs.length === 0
      ? 'Workspaces with other members stay open.'
      : `These workspaces have no other member. They are closed, too, and their keys stop working${isSold ? '; paid subscriptions end' : ''}: ${andList(slugs)}.`;
  return (
    <section>
      <h2>Close the account</h2>
      <p>Deletes your account and closes the workspaces where you are the only member.</p>
      <NoticeText tone="bad" text={result.closeFault} />
      <Confirm
        id="close-account"
        label="Close the account"
        act="Close the account"
        says={`Your name, address, sessions, and memberships are deleted at once and cannot be brought back. ${workspaces}`}
        action="/account/close"
      >
        <CurrentPassword id="close-password" />
      </Confirm>
    </section>
  );
}
