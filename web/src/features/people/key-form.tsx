import { useQueryClient } from '@tanstack/react-query'
import { apiKeysCreate } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { type Proof, withProof } from '../../office/proof/proof.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { SecretPage } from '../../office/secret-page.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type KeyForm = { name: string; readOnly: boolean }

/** Creates an API key and shows it once, with a command that runs. */
export function KeyEditor() {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const [key, setKey] = useState<string | null>(null)
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['apiKeys'] })
    void setAddress({ id: null })
  }
  const form = useForm<KeyForm>({
    name: 'apiKey:new',
    initial: { name: '', readOnly: true },
    save: async (values, _changes, options) => {
      const create = (proof: Proof) => call(apiKeysCreate, { ...values, ...proof }, options)
      setKey((await withProof('either', create)).key)
    },
    onSaved: () => {},
  })
  if (key !== null)
    return (
      <SecretPage
        title={t('key.created')}
        text={t('key.onceText')}
        secret={key}
        command={`curl -H "Authorization: Bearer ${key}" ${window.location.origin}/api/v1/products`}
        onDone={finish}
      />
    )
  return (
    <FormPage
      title={t('key.new')}
      form={form}
      submitText={t('key.create')}
      fields={[
        {
          kind: 'text',
          name: 'name',
          label: t('key.name'),
          hint: t('key.nameHint'),
          isRequired: true,
          maxLength: 120,
        },
        { kind: 'switch', name: 'readOnly', label: t('key.readOnly') },
      ]}
    />
  )
}
