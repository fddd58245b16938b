import { Field } from '../../kernel/ui/fields.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

interface AlertFormProps {
  home: string;
  limit: number | null;
  percents: readonly number[];
  /** The text typed, if it is wrong. */
  typed: string | undefined;
  fault: string | undefined;
  isOwner: boolean;
  /** True if this service can send mail. */
  sendsMail: boolean;
}

/** The form that sets when the owners get a mail. */
export function AlertForm({ home, limit, percents, typed, fault, isOwner, sendsMail }: AlertFormProps) {
  const set = percents.map((percent) => `${percent}%`).join(', ');
  return (
    <section id="alerts">
      <h2>Alerts</h2>
      <p>
        {!sendsMail
          ? 'Mail alerts are off: no mail server is set.'
          : percents.length === 0
            ? 'No mail alerts are set.'
            : `The owners of this workspace get an e-mail when ${set} of the month's decodes are used.`}{' '}
        {limit === null ? 'This workspace has no limit, so no share of it is ever reached. ' : null}A{' '}
        <a href={`${home}/webhooks`}>webhook</a> for <code>usage.threshold</code> is called at 80% and 100%.
      </p>
      {isOwner && sendsMail ? (
        <PostForm class="row" action={`${home}/alerts`}>
          <Field
            label="E-mail the owners at (percent of the limit)"
            name="percents"
            value={typed ?? percents.join(', ')}
            hint="Such as 50, 80, 100. Leave empty for no e-mail."
            fault={fault}
            maxLength={60}
            isOptional
          />
          <button>Save</button>
        </PostForm>
      ) : null}
    </section>
  );
}
