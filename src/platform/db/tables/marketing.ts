// Rows of migrations/0053_blog.sql, 0054_pixels.sql, 0055_feeds.sql 0056_abandoned_carts.sql,
// 0058_referrals.sql and 0059_public_blog.sql, as Kysely sees them.

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

export type ReferralProgramsRow = {
  accountId: string
  enabled: boolean
  rewardType: 'percent' | 'fixed' | 'shipping_percent' | 'shipping_fixed'
  referrerValue: number
  refereeValue: number
  currency: string
  minPurchaseAmount: number | null
  rewardExpiryDays: number
  attributionWindowDays: number
  maxRewardsPerReferrer: number | null
  programTerms: string | null
  landingUrl: string | null
  marketingCampaignId: string | null
  enabledAt: string | null
  seenTx: string
  seenId: string
  createdAt: string
  updatedAt: string
}

export type ReferralLinksRow = {
  accountId: string
  id: string
  customerId: string
  code: string
  clicks: number
  lastClickedAt: string | null
  createdAt: string
  updatedAt: string
}

export type ReferralAttributionsRow = {
  accountId: string
  id: string
  linkId: string
  saleId: string
  status: 'pending' | 'rewarded' | 'rejected' | 'expired'
  referrerReward: number
  refereeReward: number
  currency: string
  expiresAt: string
  rewardedSaleId: string | null
  createdAt: string
  updatedAt: string
}

export type MarketingTables = {
  blogPosts: BlogPostsRow
  pixelSettings: PixelSettingsRow
  feedSettings: FeedSettingsRow
  abandonedCartSettings: AbandonedCartSettingsRow
  cartReminders: CartRemindersRow
  referralPrograms: ReferralProgramsRow
  referralLinks: ReferralLinksRow
  referralAttributions: ReferralAttributionsRow
}
