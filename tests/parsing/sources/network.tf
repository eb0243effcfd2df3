# The network.
variable "region" {
  type    = string
  default = "eu"
}

locals {
  name = "net-${var.region}"
}

resource "aws_vpc" "main" {
  cidr_block = cidrsubnet(var.base, 4, 1)
  tags       = { Name = local.name }
}

module "peering" {
  source = "./modules/peering"
  vpc_id = aws_vpc.main.id
}

output "vpc" {
  value = module.peering.id
}
