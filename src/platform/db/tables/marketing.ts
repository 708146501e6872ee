// Rows of migrations/0053_blog.sql, 0054_pixels.sql, 0055_feeds.sql and 0056_abandoned_carts.sql, as Kysely sees them.

export type BlogPostsRow = {
  accountId: string
  id: string
  slug: string
  title: string
  excerpt: string | null
  body: string
  coverImage: string | null
  status: 'draft' | 'published'
  publishedAt: string | null
  authorName: string | null
  tags: string[]
  metaTitle: string | null
  metaDescription: string | null
  marketingCampaignId: string | null
  createdAt: string
  updatedAt: string
}

export type PixelSettingsRow = {
  accountId: string
  enabled: boolean
  socialPixelId: string | null
  /** Sealed. */
  socialCapiAccessToken: string | null
  socialCapiAccessTokenLast4: string | null
  socialTestEventCode: string | null
  analyticsId: string | null
  adsConversionId: string | null
  adsPurchaseLabel: string | null
  shortVideoPixelId: string | null
  createdAt: string
  updatedAt: string
}

export type FeedSettingsRow = {
  accountId: string
  enabled: boolean
  defaultFeedProductCategory: string | null
  includeUnpublished: boolean
  productUrl: string | null
  marketingCampaignId: string | null
  createdAt: string
  updatedAt: string
}

export type AbandonedCartSettingsRow = {
  accountId: string
  enabled: boolean
  delayHours: number
  emailSubject: string
  emailPreview: string
  discountCodeId: string | null
  marketingCampaignId: string | null
  createdAt: string
  updatedAt: string
}

export type CartRemindersRow = {
  accountId: string
  id: string
  saleId: string
  customerId: string
  cartTotal: number
  status: 'scheduled' | 'sent' | 'recovered' | 'failed'
  scheduledAt: string
  dueAt: string | null
  attempts: number
  sentAt: string | null
  isWatched: boolean
  createdAt: string
  updatedAt: string
}

export type MarketingTables = {
  blogPosts: BlogPostsRow
  pixelSettings: PixelSettingsRow
  feedSettings: FeedSettingsRow
  abandonedCartSettings: AbandonedCartSettingsRow
  cartReminders: CartRemindersRow
}
